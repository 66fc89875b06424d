"""Small mistakes that a hand makes in code, found in a file's syntax tree: one place, one change, the rest as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
# Functions whose arguments may be swapped.
EITHER_WAY = ("min", "max", "np.minimum", "np.maximum", "gcd", "isclose", "suppress")
DEFAULTS = {"int": "0", "float": "0.0", "str": "''", "bool": "False", "list": "[]", "dict": "{}", "tuple": "()"}


@dataclass(frozen=True)
class Mutation:
    """One change at one place: the bytes from `start` to `end` of the file at `path` become `after`."""

    path: str  # from the top of the tree
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def change(self) -> str:
        """Return both texts, as a list of known changes names them."""
        return f"{self.before} → {self.after}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.kind}: {self.change}"

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutations(path: str, source: bytes) -> list[Mutation]:
    """Return all changes of a file. Left alone: annotations, decorators, texts, what types alone need, and what raises:
    errors, assertions, and the demand that lists are of one length."""
    return list(_Finder(path, source).below(ast.parse(source), None))


class _Finder:
    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]  # of lines, in bytes

    def below(self, node: ast.AST, default: str | None) -> Iterator[Mutation]:
        """Give the changes in a node and below it. `default`: what the function around it may return by mistake."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            default = _default(node.returns)
        for kind, after in [*_changes(node), *_returns(node, default)]:
            yield self._mutation(node, kind, after)
        for test in _tests(node):
            yield self._mutation(test, "negated condition", f"not {ast.unparse(test)}")
        for part in _parts(node):
            yield from self.below(part, default)

    def _mutation(self, node: ast.AST, kind: str, after: str) -> Mutation:
        assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        text = f"({after})" if isinstance(node, ast.expr) else after  # nothing around an expression binds a part of it
        return Mutation(self._path, node.lineno, kind, start, end, ast.unparse(node), text)


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Give kind and text of each change of a node itself."""
    match node:
        case ast.Compare(left, [operator, *others], values):
            yield "comparison", ast.unparse(ast.Compare(left, [COMPARISONS[type(operator)](), *others], values))
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield "operator", ast.unparse(ast.BinOp(left, OPERATORS[type(operator)](), right))
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield "sign", ast.unparse(operand)
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "operator", ast.unparse(ast.BoolOp(other, values))
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield "dropped condition", ast.unparse(ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0])
        case ast.Constant(bool(value)):
            yield "constant", str(not value)
        case ast.Constant(int(value) | float(value)):
            yield "constant", repr(value + 1)
        case ast.IfExp(test, body, orelse):
            yield "negated condition", ast.unparse(ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse))
        case ast.Call(function, [first, second, *rest], keywords) if ast.unparse(function) not in EITHER_WAY:
            alike = ast.unparse(first) == ast.unparse(second)
            if not alike and not any(isinstance(argument, ast.Starred) for argument in (first, second)):
                yield "swapped arguments", ast.unparse(ast.Call(function, [second, first, *rest], keywords))
        case ast.Expr(ast.Call()):
            yield "dropped call", "pass"
        case ast.AugAssign(target, operator, value) if type(operator) in OPERATORS:
            yield "operator", ast.unparse(ast.AugAssign(target, OPERATORS[type(operator)](), value))


def _tests(node: ast.AST) -> list[ast.expr]:
    """Return what a statement or a comprehension asks, where no other change turns it round."""
    if isinstance(node, ast.If) and _for_types(node):
        return []
    tests = [node.test] if isinstance(node, ast.If | ast.While) else getattr(node, "ifs", [])
    return [test for test in tests if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)]


def _for_types(node: ast.If) -> bool:
    return "TYPE_CHECKING" in ast.unparse(node.test)


def _returns(node: ast.AST, default: str | None) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Return) and node.value and default and ast.unparse(node.value) != default:
        yield "returned default", f"return {default}"


def _default(annotation: ast.expr | None) -> str | None:
    """Return what a function gives that has forgotten its result; None for one that has none."""
    if annotation is None or ast.unparse(annotation) in ("None", "NoReturn"):
        return None
    return DEFAULTS.get(ast.unparse(annotation).split("[")[0], "None")


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Give the parts of a node in which a mistake would be one."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body)
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign(_, _, value):
            yield from [value] if value else []
        case ast.If(test, body, orelse):
            yield from () if _for_types(node) else (test, *body, *orelse)
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.keyword("strict"):
            return
        case ast.JoinedStr():  # its parts have no exact places
            return
        case _:
            yield from ast.iter_child_nodes(node)


def loaded(source: str) -> dict[int, set[str]]:
    """Return the lines that run when a module loads, with the names that these give a value.

    The default of a field counts for its class, that of an argument for nothing but its file."""
    lines: dict[int, set[str]] = {}

    def note(node: ast.AST, names: set[str]) -> None:
        if isinstance(node, ast.stmt | ast.expr):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines.setdefault(line, set()).update(names)

    def below(nodes: list[ast.stmt], owner: str) -> None:
        for node in nodes:
            match node:
                case ast.ClassDef(name, body=body):
                    below(body, name)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    for default in filter(None, (*node.args.defaults, *node.args.kw_defaults)):
                        note(default, set())
                case ast.Import() | ast.ImportFrom():
                    note(node, set())
                case ast.AnnAssign() if owner:
                    note(node, {owner})
                case ast.Assign() | ast.AnnAssign():
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    parts = (part for target in targets for part in ast.walk(target))
                    note(node, {part.id for part in parts if isinstance(part, ast.Name)})
                case ast.If() | ast.For() | ast.With() | ast.Try():
                    below([part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)], owner)

    below(ast.parse(source).body, "")
    return lines
