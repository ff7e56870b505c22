import ipaddress as ip, uuid
from urllib.parse import *
print(urlparse("https://user:pw@Host.example:8080/p/a;x?q=1&r=%20#frag"), urlsplit("//h/p").netloc, urljoin("http://a/b/c/d", "../e?x#y"), urljoin("http://a/b/", "//c/d"), quote("a b/é?&="), quote_plus("a b&c"), unquote("%C3%A9+x"), unquote_plus("a+b%20"), urlencode({"a": [1, 2], "b": "x y"}, doseq=True), urlencode([("k", "é")]), parse_qs("a=1&a=2&b=&c=%20", keep_blank_values=True), parse_qsl("a=1;b=2", separator=";"), urlunparse(("s", "n", "p", "x", "q", "f")), urldefrag("http://a/#b"), quote_from_bytes(b"\xff a"), unquote_to_bytes("%ff"))
u = urlparse("http://u:p@[::1]:80/x"); print(u.hostname, u.port, u.username, u.geturl(), u._replace(path="/y").geturl(), urlsplit(b"http://a/b").path, u)
for f in [lambda: urlparse("http://a:99999/").port, lambda: urlsplit("http://[::1/"), lambda: urljoin("a", b"b"), lambda: parse_qs("a=1", separator="")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
n = ip.ip_network("192.168.1.0/28"); a = ip.ip_address("192.168.1.5")
print(n, a in n, n.num_addresses, list(n.hosts())[:2], n.broadcast_address, n.netmask, list(n.subnets(new_prefix=30))[1], n.supernet(), a + 1, int(a), a.is_private, ip.ip_address("::1").is_loopback, ip.IPv6Address("2001:db8::1").exploded, ip.ip_interface("10.0.0.1/8").network, a.packed, a.reverse_pointer, sorted([ip.ip_address("10.0.0.2"), ip.ip_address("10.0.0.1")]), list(ip.summarize_address_range(ip.IPv4Address("10.0.0.0"), ip.IPv4Address("10.0.0.5"))), list(ip.collapse_addresses([ip.ip_network("10.0.0.0/25"), ip.ip_network("10.0.0.128/25")])), n.overlaps(ip.ip_network("192.168.1.8/29")), repr(n), hash(a) == hash(ip.ip_address("192.168.1.5")), f"{a:b}", ip.ip_address(1), n[3], ip.ip_network("2001:db8::/126").num_addresses, a.version, a < ip.ip_address("192.168.1.9"))
for f in [lambda: ip.ip_address("1.2.3"), lambda: ip.ip_network("10.0.0.1/8"), lambda: ip.IPv4Address("256.1.1.1"), lambda: ip.ip_address("::1") < a, lambda: ip.IPv6Address("1:2"), lambda: ip.ip_network("10.0.0.0/33")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
u = uuid.UUID("12345678123456781234567812345678")
print(u, repr(u), u.hex, u.int, u.bytes, u.urn, u.variant, u.version, u.fields, uuid.uuid3(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid5(uuid.NAMESPACE_URL, "x"), uuid.uuid4().version, uuid.uuid1().version, len({uuid.uuid4() for _ in range(50)}), u == uuid.UUID(bytes=u.bytes), u < uuid.UUID(int=2**127), hash(u) == hash(uuid.UUID(int=u.int)), uuid.UUID("{" + str(u) + "}") == u, uuid.uuid1(1, 2).node, uuid.SafeUUID.unknown)
for f in [lambda: uuid.UUID("x"), lambda: uuid.UUID(), lambda: setattr(u, "int", 5), lambda: uuid.UUID(int=-1)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
