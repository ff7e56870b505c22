"""A small template engine with loops and conditions, and a Markdown converter."""
import html
import re

TEMPLATE = """<h1>{{ title }}</h1>
{% for item in items %}<li class="{{ item.kind }}">{{ item.name|upper }}: {{ item.price }}{% if item.sale %} <b>sale</b>{% endif %}</li>
{% endfor %}{% if footer %}<p>{{ footer|title }}</p>{% endif %}"""
TOKENS = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})")
FILTERS = {"upper": str.upper, "title": str.title, "lower": str.lower}


def parse(tokens, until=()):
    nodes = []
    while tokens:
        token = tokens.pop(0)
        if token.startswith("{{"):
            name, *filters = token[2:-2].strip().split("|")
            nodes.append(("value", name, filters))
        elif token.startswith("{%"):
            words = token[2:-2].split()
            if words[0] in until:
                return nodes
            if words[0] == "for":
                nodes.append(("for", words[1], words[3], parse(tokens, ("endfor",))))
            elif words[0] == "if":
                nodes.append(("if", words[1], parse(tokens, ("endif",))))
        elif token:
            nodes.append(("text", token))
    return nodes


def look_up(name, scope):
    value = None
    for i, part in enumerate(name.split(".")):
        value = scope.get(part) if i == 0 else value.get(part, "")
    return value


def render(nodes, scope):
    out = []
    for node in nodes:
        kind = node[0]
        if kind == "text":
            out.append(node[1])
        elif kind == "value":
            value = str(look_up(node[1], scope))
            for name in node[2]:
                value = FILTERS[name](value)
            out.append(html.escape(value))
        elif kind == "for":
            for item in look_up(node[2], scope):
                out.append(render(node[3], {**scope, node[1]: item}))
        elif look_up(node[1], scope):
            out.append(render(node[2], scope))
    return "".join(out)


def markdown(text):
    lines, out, in_list = text.split("\n"), [], False
    for line in lines:
        line = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", line)
        line = re.sub(r"`(.+?)`", lambda m: f"<code>{html.escape(m[1])}</code>", line)
        if line.startswith("- "):
            if not in_list:
                out.append("<ul>")
                in_list = True
            out.append(f"<li>{line[2:]}</li>")
            continue
        if in_list:
            out.append("</ul>")
            in_list = False
        level = len(line) - len(line.lstrip("#"))
        out.append(f"<h{level}>{line[level:].strip()}</h{level}>" if level else f"<p>{line}</p>" if line else "")
    return "\n".join(out)


def main():
    items = [{"name": f"item <{i}>", "kind": "odd" if i % 2 else "even", "price": i * 1.5, "sale": i % 7 == 0} for i in range(300)]
    nodes = parse(TOKENS.split(TEMPLATE))
    page = render(nodes, {"title": "Prices & more", "items": items, "footer": "the end of it"})
    document = "\n".join(["# Title", "Some **bold** text with `code < 3`", "- one", "- two **x**", "", "## Next"] * 120)
    return len(page), page[-40:], len(markdown(document))
