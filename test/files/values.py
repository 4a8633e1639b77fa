"""One value of a schedule or checkpoint file is changed: once it is sealed anew, what is left to notice is what values say of each other."""
import re

NUMBERS = (0, 1, 2, 3, 0x7f, 0x80, 0xff, 0xffff, 0xffffffff, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
FIRST_NUMBERS = 5  # of the record: counts, of 8 bytes each


def other_number(value, base, rng):
    near = (value + 1, value - 1, value ^ 4, value ^ 8, value ^ 16, 2 * value)
    new = rng.choice(near if rng.randrange(2) else NUMBERS)
    return b"%x" % max(0, new) if base == 16 else b"%d" % max(0, new)


def other_word(word, column, base, rng):
    """Another number if it is one, what stands in its place on another line, or nothing."""
    if re.fullmatch(rb"[0-9a-f]+" if base == 16 else rb"[0-9]+", word) and rng.randrange(3):
        return other_number(int(word, base), base, rng)
    return rng.choice([*sorted(column), b""])


def other_record(data, rng):
    i = rng.randrange(FIRST_NUMBERS)
    now = int.from_bytes(data[8 * i:8 * i + 8], "little")
    k = rng.randrange(8 * FIRST_NUMBERS, len(data))
    return rng.choice((
        (f"record, number {i}", data[:8 * i] + rng.choice((now + 1, max(0, now - 1), 0, 1 << 63)).to_bytes(8, "little") + data[8 * i + 8:]),
        (f"record, byte {k}", data[:k] + bytes([rng.choice((data[k] ^ 1, data[k] ^ 2, data[k] ^ 0x80, 0xff - data[k]))]) + data[k + 1:]),
        (f"record, without 8 bytes at {k}", data[:k] + data[k + 8:]),
        (f"record, 8 bytes more at {k}", data[:k] + data[k:k + 8] + data[k:])))


def other_line(lines, at, base, rng):
    """(what was changed, its words)"""
    name, words = lines[at][0], lines[at]
    if name == b"record":
        what, data = other_record(bytes.fromhex(words[1].decode()), rng)
        return what, [name, data.hex().encode()]
    if len(words) == 1 or rng.randrange(12) == 0:
        return f"line {at + 1}, a word more", [*words, b"0"]
    i = rng.randrange(1, len(words))
    if rng.randrange(12) == 0:
        return f"line {at + 1}, without word {i}", words[:i] + words[i + 1:]
    column = {other[i] for other in lines if other[0] == name and i < len(other)}
    new = other_word(words[i], column, base, rng)
    return f"line {at + 1} ({name.decode()}), word {i}: {new.decode()}", words[:i] + [new] + words[i + 1:]


def change_one(body, rng, hexadecimal=(b"node", b"sleeper", b"section", b"sequence")):
    """(what was changed, the lines then), of the lines of a file before its digests."""
    lines = [line.split(b" ") for line in body.split(b"\n")[:-1]]
    at = rng.randrange(len(lines))
    kind = rng.randrange(12)
    if kind == 0:
        what, lines[at:at + 1] = f"line {at + 1} removed", []
    elif kind == 1:
        what, lines[at:at + 1] = f"line {at + 1} twice", [lines[at], lines[at]]
    elif kind == 2:
        what, lines[at:at + 2] = f"line {at + 1} moved", lines[at:at + 2][::-1]
    else:
        what, lines[at] = other_line(lines, at, 16 if lines[at][0] in hexadecimal else 10, rng)
    return what, b"".join(b" ".join(words) + b"\n" for words in lines)


def below(lines, at):
    """Where what belongs to a line ends: below a node what is deeper, below a piece all of it."""
    end = at + 1
    if lines[at].startswith(b"node "):
        depth = lambda line: int(line.split(b" ")[1], 16)
        while end < len(lines) and lines[end].startswith(b"node ") and depth(lines[end]) > depth(lines[at]):
            end += 1
    if lines[at].startswith(b"piece "):
        while end < len(lines) and not lines[end].startswith(b"piece "):
            end += 1
    return end


def repeats(body):
    """(what was changed, the lines then): each line of the tree twice, alone and with all that belongs to it; at once and at the end."""
    lines = body.split(b"\n")[:-1]
    begin = next(i for i, line in enumerate(lines) if line.startswith(b"record ")) + 1
    for at in range(begin, len(lines)):
        for end in {at + 1, below(lines, at)}:
            for to in {end, len(lines)}:
                again = lines[:to] + lines[at:end] + lines[to:]
                yield f"lines {at + 1} to {end} again as {to + 1}", b"".join(line + b"\n" for line in again)
