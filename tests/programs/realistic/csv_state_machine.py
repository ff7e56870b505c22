def parse_csv(text, sep=",", quote='"'):
    rows, row, cell, state = [], [], [], "start"
    for c in text + "\n" if not text.endswith("\n") else text:
        match state, c:
            case "start", _ if c == quote: state = "quoted"
            case ("start" | "plain"), _ if c == sep: row.append("".join(cell)); cell = []; state = "start"
            case ("start" | "plain" | "closed"), "\n":
                row.append("".join(cell)); rows.append(row); row, cell, state = [], [], "start"
            case ("start" | "plain"), _: cell.append(c); state = "plain"
            case "quoted", _ if c == quote: state = "closed"
            case "quoted", _: cell.append(c)
            case "closed", _ if c == quote: cell.append(c); state = "quoted"
            case "closed", _ if c == sep: row.append("".join(cell)); cell = []; state = "start"
            case s, ch: raise ValueError(f"unexpected {ch!r} in state {s}")
    if state == "quoted": raise ValueError("unterminated quote")
    return rows
def write_csv(rows):
    def cell(v):
        s = "" if v is None else str(v)
        return '"' + s.replace('"', '""') + '"' if any(c in s for c in ',"\n') else s
    return "\n".join(",".join(map(cell, r)) for r in rows)
data = 'name,age,note\nann,3,"likes ""tea"", milk"\nbob,,"two\nlines"\n,,\n'
rows = parse_csv(data)
print(rows)
print(write_csv(rows) + "\n" == data, write_csv([[None, 1.5, True, "a,b"]]))
print([dict(zip(rows[0], r)) for r in rows[1:]])
for bad in ('"abc', '"a"b,c', 'x,"y"z'):
    try: print(parse_csv(bad))
    except ValueError as e: print(e)
print(parse_csv("a;b;c", sep=";"), parse_csv("'a,b',c", quote="'"), parse_csv("")) 
