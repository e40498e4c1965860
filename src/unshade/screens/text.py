"""Text on a screen: text from files made safe to show, counts with their nouns."""

Segment = tuple[str, int | None]  # text, and its colour among a terminal's 256


def visible(text: str, keep: str = "") -> str:
    """Return the text with control and invisible characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(ord(c)) for c in text)


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def many(count: int, one: str, more: str = "") -> str:
    """Return `1 part` or `2 parts`; `more` is an irregular plural."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
