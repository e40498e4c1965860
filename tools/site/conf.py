"""Configuration of Sphinx for the site; tools/site/__main__.py runs it over staged sources."""

from pathlib import Path

from unshade import __version__

here = Path(__file__).resolve().parent
project = "unshade"
author = "The unshade authors"
version = release = __version__
language = "en"
html_title = f"unshade {version}"
html_theme = "furo"
html_static_path = [str(here / "static")]
html_css_files = ["site.css"]
templates_path = [str(here / "templates")]
html_sidebars = {
    "**": [
        "sidebar/brand.html", "sidebar/versions.html", "sidebar/search.html",
        "sidebar/scroll-start.html", "sidebar/navigation.html", "sidebar/scroll-end.html",
    ]
}  # fmt: skip
html_show_sphinx = False
html_copy_source = html_show_sourcelink = False
html_permalinks_icon = "#"
# A page that was opened as a file may not fetch others.
html_show_search_summary = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "unshade"
pygments_dark_style = "unshade-dark"

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Generated pages have headings of the same name in several sections.
suppress_warnings = ["myst.header"]

toc_object_entries = False
add_module_names = False
python_maximum_signature_line_length = 88
