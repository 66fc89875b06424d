"""The book of openings of Connect Four: exact scores of all positions in the first plies, made once.

- `openings`: which positions there are,
- `book`: their scores, in a file,
- `making`: how such a file is made.
"""

from nimtui.theory.book.book import Book, book_of, empty, read, shipped

__all__ = ["Book", "book_of", "empty", "read", "shipped"]
