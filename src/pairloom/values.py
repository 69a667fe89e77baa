"""Frozen, slotted dataclasses and named tuples, made without `dataclasses` and `typing`: to load these takes too long.

`dataclass`, `field`, `KW_ONLY` and `NamedTuple` are those of the standard library as far as the core uses them. Whoever
asks for more (`dataclasses.fields`, `asdict`, `replace`) finds what it would have made: that is made, and `dataclasses`
loaded, when it is first asked for.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["KW_ONLY", "NamedTuple", "dataclass", "field"]

# As in `typing`, which is not loaded for the same reason.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import KW_ONLY, dataclass, field
    from typing import NamedTuple
else:

    class _MakesTuples(type):
        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            made = namedtuple(name, namespace["__annotations__"], module=namespace["__module__"])  # noqa: PYI024
            made.__annotations__ = namespace["__annotations__"]
            # Python leaves docstrings out under -OO, and so does the static edition.
            made.__doc__ = namespace.get("__doc__", made.__doc__)
            return made

    class NamedTuple(metaclass=_MakesTuples):
        """The base of named tuples with annotated fields and no defaults."""

    class KW_ONLY:  # noqa: N801  # the standard library's names
        """The annotation behind which arguments go by name."""

    class field:  # noqa: N801
        """What is known of a field beside its name and its annotation."""

        __slots__ = ("compare", "default_factory", "init")

        def __init__(self, *, default_factory=None, init=True, compare=True):
            self.default_factory, self.init, self.compare = default_factory, init, compare

    def dataclass(*, frozen, slots, repr=True, eq=True):  # noqa: A002  # the standard library's name
        """Return a decorator that makes a class as `dataclasses.dataclass` does."""
        assert frozen
        assert slots
        return lambda cls: _made(cls, has_repr=repr, has_eq=eq)

    class _LazyFields:
        """Stands for `__dataclass_fields__` until somebody looks."""

        def __init__(self, annotations, given):
            self.annotations, self.given = annotations, given

        def __get__(self, instance, owner):
            import dataclasses

            namespace = {
                name: dataclasses.field(
                    init=value.init,
                    compare=value.compare,
                    **({} if value.default_factory is None else {"default_factory": value.default_factory}),
                )
                if isinstance(value, field)
                else value
                for name, value in self.given.items()
            }
            namespace["__annotations__"] = {
                name: dataclasses.KW_ONLY if kind == "KW_ONLY" else kind for name, kind in self.annotations.items()
            }
            namespace["__module__"] = owner.__module__
            made = dataclasses.dataclass(frozen=True)(type(owner.__name__, (), namespace))
            owner.__dataclass_params__ = made.__dataclass_params__
            owner.__dataclass_fields__ = made.__dataclass_fields__
            return made.__dataclass_fields__

    def _made(cls, *, has_repr, has_eq):
        annotations = cls.__annotations__
        names = tuple(name for name, kind in annotations.items() if kind != "KW_ONLY")
        given = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        apart = {name: value for name, value in given.items() if isinstance(value, field)}
        compared = tuple(name for name in names if name not in apart or apart[name].compare)
        namespace = {
            name: value for name, value in cls.__dict__.items() if name not in {*given, "__dict__", "__weakref__"}
        }
        made = {
            "__slots__": names,
            "__match_args__": tuple(
                name for name in names if not isinstance(given.get(name), field) or given[name].init
            ),
            "__init__": _init(annotations, given, has_check="__post_init__" in namespace),
            "__setattr__": _refuse_setting,
            "__delattr__": _refuse_deleting,
            "__getstate__": lambda self: [getattr(self, name) for name in names],
            "__setstate__": lambda self, state: _restore(self, names, state),
            "__dataclass_fields__": _LazyFields(annotations, given),
        }
        if has_repr:
            shown = ", ".join(f"{name}={{0.{name}!r}}" for name in names)
            made["__repr__"] = lambda self: f"{type(self).__qualname__}({shown.format(self)})"
        if has_eq:
            made["__eq__"] = lambda self, other: _is_equal(self, other, compared)
            made["__hash__"] = lambda self: hash(tuple([getattr(self, name) for name in compared]))
        # What the class says itself stays; that it has no hash follows from its `__eq__` alone.
        if namespace.get("__hash__", 0) is None and "__eq__" in namespace and has_eq:
            del namespace["__hash__"]
        return type(cls)(cls.__name__, cls.__bases__, made | namespace)

    def _init(annotations, given, *, has_check):
        """Return `__init__`, with a signature of its own."""
        parameters, lines = ["self"], []
        for name, kind in annotations.items():
            known = given.get(name)
            if kind == "KW_ONLY":
                parameters.append("*")
                continue
            if not isinstance(known, field):
                parameters.append(f"{name}=_given[{name!r}]" if name in given else name)
            elif known.init:
                parameters.append(name)
            factory = isinstance(known, field) and known.default_factory is not None
            lines.append(f" _set(self, {name!r}, {f'_given[{name!r}].default_factory()' if factory else name})")
        if has_check:
            lines.append(" self.__post_init__()")
        made = {"_given": given, "_set": object.__setattr__}
        exec("\n".join([f"def __init__({', '.join(parameters)}):", *lines]), made)  # noqa: S102  # as `dataclasses` does
        return made["__init__"]

    def _is_equal(self, other, compared):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    def _restore(self, names, state):
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    def _refuse_setting(self, name, value):  # noqa: ARG001  # Python's signature
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_deleting(self, name):  # noqa: ARG001  # as above
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")
