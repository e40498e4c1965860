"""The site of the documentation: `python -m tools.site` (install with `[docs]`).

    docs/*.md ─┐  staging     Markdown with links of the site     ┌─ pages, search, reference
    README …  ─┼──────────▶   signatures as py:function, …   ─────┤  Sphinx, Furo
    examples/ ─┘  gallery     pictures and report pages           └─ one folder of static files

Sphinx with Furo and MyST, not Zensical: a signature of a `py:` directive links its types and is in
the inventory that other projects link to, the search of a page that was opened as a file needs no
server, and a page loads nothing from elsewhere. Zensical 0.0.73 loads a script from a public
service for a search of files, and has no inventory for pages in Markdown.
"""
