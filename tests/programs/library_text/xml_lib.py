import xml.etree.ElementTree as ET, io
root = ET.fromstring('<r a="1"><x>t<!-- c --></x><x n="2"/>tail<y><x>deep</x></y></r>')
print(root.tag, root.attrib, [e.text for e in root.findall("x")], root.find("y/x").text, root.findtext("x"), [e.tag for e in root.iter()], len(root), root[1].tail, ET.tostring(root), [e.attrib for e in root.findall(".//x[@n='2']")], list(root.itertext()))
e = ET.Element("n", {"k": "v<&"}); ET.SubElement(e, "c").text = "é"; e.append(ET.Comment("hi")); e.set("z", "1"); ET.indent(e)
print(ET.tostring(e, encoding="unicode"), ET.tostring(e), e.get("k"), list(e.keys()), list(e.items()))
t = ET.ElementTree(e); out = io.BytesIO(); t.write(out, encoding="utf-8", xml_declaration=True); print(out.getvalue())
for bad in ["<a>", "<a></b>", "", "<a>&nope;</a>", "<a b=1/>"]:
    try:
        ET.fromstring(bad)
    except ET.ParseError as err:
        print(err, err.code, err.position)
ns = ET.fromstring('<a xmlns="u:x" xmlns:p="u:y"><p:b/><c/></a>'); print([x.tag for x in ns], ns.find("{u:x}c").tag, ns.find("q:b", {"q": "u:y"}).tag)
print([(ev, el.tag) for ev, el in ET.iterparse(io.BytesIO(b"<a><b/><c>x</c></a>"), events=("start", "end"))])
p = ET.XMLPullParser(["end"]); p.feed("<a><b/>"); print([(ev, el.tag) for ev, el in p.read_events()]); print(ET.canonicalize("<a b='1' a='2'/>"))
b = ET.TreeBuilder(); b.start("q", {}); b.data("x"); b.end("q"); print(ET.tostring(b.close()), ET.iselement(root), ET.XML("<z/>").tag, ET.fromstringlist(["<a>", "</a>"]).tag)
bomb = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY a{i} "{"&a" + (str(i - 1) if i else "") + ";" }">'.replace("&a;", "&a;" * 10) if i == 0 else f'<!ENTITY a{i} "{("&a" + str(i - 1) + ";") * 10}">' for i in range(9)) + ']><l>&a8;</l>'
try:
    print(len(ET.fromstring(bomb).text))
except ET.ParseError as err:
    print("refused", str(err)[:40])
from xml.parsers import expat
q = expat.ParserCreate(); got = []; q.StartElementHandler = lambda n, a: got.append((n, a)); q.CharacterDataHandler = got.append; q.Parse("<a x='1'>t</a>", True); print(got)
try:
    expat.ParserCreate().Parse("<a", True)
except expat.ExpatError as err:
    print(err, err.code, err.lineno, expat.errors.XML_ERROR_NO_ELEMENTS, expat.ErrorString(3))
