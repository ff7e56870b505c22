import io
import unittest
from unittest import TestCase, skip, skipIf, expectedFailure
from unittest.mock import MagicMock, Mock, call, patch, sentinel, ANY, mock_open


class Arithmetic(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = ["class"]

    def setUp(self):
        self.value = 3
        self.addCleanup(self.log.append, "cleanup")

    def tearDown(self):
        self.log.append("down")

    def test_equal(self):
        self.assertEqual(self.value, 3)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertIn(1, [1])
        self.assertIsNone(None)
        self.assertCountEqual([1, 2], [2, 1])
        self.assertRegex("abc", "b")

    def test_fails(self):
        self.assertEqual([1, 2, 3], [1, 2, 4], "message")

    def test_raises(self):
        with self.assertRaises(ZeroDivisionError) as caught:
            1 / 0
        self.assertIn("division", str(caught.exception))
        self.assertRaisesRegex(ValueError, "invalid", int, "x")

    def test_error(self):
        {}["missing"]

    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)

    @skip("later")
    def test_skipped(self):
        pass

    @expectedFailure
    def test_expected(self):
        self.fail("as expected")

    def test_warns(self):
        import warnings
        with self.assertWarns(UserWarning):
            warnings.warn("w")

    def test_logs(self):
        import logging
        with self.assertLogs("app", level="INFO") as logs:
            logging.getLogger("app").info("hello %d", 3)
        self.assertEqual(logs.output, ["INFO:app:hello 3"])


suite = unittest.defaultTestLoader.loadTestsFromTestCase(Arithmetic)
stream = io.StringIO()
result = unittest.TextTestRunner(stream=stream, verbosity=2).run(suite)
print(result, [str(t[0]) for t in result.failures], [str(t[0]) for t in result.errors], len(result.skipped))
text = stream.getvalue()
print([line for line in text.splitlines() if "..." in line or line.startswith(("AssertionError", "KeyError", "First diff", "FAILED"))])
print(Arithmetic.log[:4])

m = Mock(return_value=5)
print(m(1, a=2), m.called, m.call_count, m.call_args, m.mock_calls)
m.assert_called_once_with(1, a=2)
try:
    m.assert_called_with(3)
except AssertionError as error:
    print(error)
m.attr.method.return_value = "deep"
print(m.attr.method(), m.method_calls)
s = Mock(side_effect=[1, 2, ValueError("third")])
print(s(), s())
try:
    s()
except ValueError as error:
    print(error)
mm = MagicMock()
mm.__len__.return_value = 7
mm["k"] = 1
print(len(mm), mm[3] is mm[3], list(mm), mm.__setitem__.call_args)


class Service:
    def fetch(self, n):
        return n

    url = "real"


with patch.object(Service, "fetch", return_value="patched") as fetch:
    print(Service().fetch(1), fetch.call_args)
print(Service().fetch(1))
with patch.dict({"a": 1}, {"b": 2}) as d:
    print(d)
import math
with patch("math.sqrt", lambda x: "root"):
    print(math.sqrt(4))
print(math.sqrt(4), sentinel.thing, ANY == 3, call(1, x=2))
spec = Mock(spec=Service)
try:
    spec.nope
except AttributeError as error:
    print(error)
print(isinstance(spec, Service), mock_open(read_data="abc")().read())
