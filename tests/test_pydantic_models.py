"""Models of pydantic, where that is installed, and what stands in their fields."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum

import pytest

import kimi_runtime as kr

pydantic = pytest.importorskip("pydantic")


class Color(enum.Enum):
    RED = "red"


class Rights(enum.IntFlag):
    READ = 4
    WRITE = 2


Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Size:
    width: int
    height: int = 2


class Line(pydantic.BaseModel):
    item: str
    count: int = pydantic.Field(default=1, alias="number")
    model_config = pydantic.ConfigDict(populate_by_name=True)


class Order(pydantic.BaseModel):
    id: int
    lines: list[Line]
    color: Color = Color.RED
    rights: Rights = Rights.READ | Rights.WRITE
    at: datetime.date = datetime.date(2024, 2, 29)
    total: decimal.Decimal = decimal.Decimal("1.50")
    size: Size | None = None
    place: Point | None = None
    note: str | None = None
    _secret: str = pydantic.PrivateAttr("hidden")

    @pydantic.computed_field
    @property
    def double(self) -> int:
        raise AssertionError("no code of the model runs")

    @pydantic.field_validator("id")
    @classmethod
    def positive(cls, value):
        if value <= 0:
            raise ValueError("id must be positive")
        return value


class Extra(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow", frozen=True)
    a: int


@pydantic.dataclasses.dataclass
class Checked:
    n: int


def make():
    return Order(id=7, lines=[Line(item="pear", number=2), Line(item="plum")], size=Size(3), place=Point(1, 2))


def test_a_model_is_a_record_in_the_guest():
    source = """
line = order.lines[0]
found = [repr(order)[:6], order.id, (line.item, line.count), order.color, order.rights, order.at.day, order.total + 1,
         (order.size.width, order.size.height), order.place, order.note, hasattr(order, "_secret"), hasattr(order, "double"),
         hasattr(order, "model_dump"), hasattr(order, "positive")]
order.lines.append(1)
found
"""
    order = make()
    assert kr.run(source, {"order": order}).unwrap() == [
        "Order(", 7, ("pear", 2), "red", 6, 29, decimal.Decimal("2.50"), (3, 2), (1, 2), None, False, False, False, False]
    assert len(order.lines) == 2


def test_it_comes_back_and_is_checked_by_the_model():
    record = kr.run("order", {"order": make()}).unwrap()
    assert isinstance(record, kr.Record) and record.lines[0].item == "pear"

    def plain(value):
        if isinstance(value, kr.Record):
            return {key: plain(each) for key, each in value._asdict().items()}
        return [plain(each) for each in value] if isinstance(value, list) else value

    assert Order.model_validate(plain(record)) == make()
    with pytest.raises(pydantic.ValidationError, match="id must be positive"):
        Order.model_validate({**plain(record), "id": -1})


def test_results_and_arguments_of_host_functions():
    seen = []

    def place(order):
        seen.append(order)
        return make()

    rt = kr.Runtime(functions={"place": place})
    assert rt.run("place(order).lines[1].item, place([order]).id", {"order": make()}).unwrap() == ("plum", 7)
    assert isinstance(seen[0], kr.Record) and seen[0].id == 7 and isinstance(seen[1][0], kr.Record)


def test_other_kinds_of_models():
    assert kr.run("m.a, sorted(m._asdict())", {"m": Extra(a=1, b=2)}).unwrap()[0] == 1
    assert kr.run("c.n", {"c": Checked(n=3)}).unwrap() == 3
    constructed = Line.model_construct(item="raw")
    assert kr.run("l.item, l.count", {"l": constructed}).unwrap() == ("raw", 1)
    assert kr.run("seen", {"seen": {Color.RED: [Point(1, Line(item="x"))]}}).unwrap()["red"][0][1].item == "x"


@kr.expose_class(attrs=["id"], methods=["model_dump_json"])
class Exposed(pydantic.BaseModel):
    id: int


def test_an_exposed_model_is_a_proxy():
    given = Exposed(id=5)
    result = kr.run("m.model_dump_json(), m.id, m", {"m": given}).unwrap()
    assert result[:2] == ('{"id":5}', 5) and result[2] is given


def test_a_field_that_cannot_cross_is_named():
    class Holder(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
        conn: object

    with pytest.raises(TypeError, match=r"h\.conn cannot go to the guest"):
        kr.run("1", {"h": Holder(conn=object())})


def test_models_in_worker_processes():
    import sys

    if sys.platform != "linux":
        pytest.skip("process isolation needs Linux")
    with kr.Runtime(isolation="process") as rt:
        assert rt.run("order.lines[0].item", {"order": make()}).unwrap() == "pear"
