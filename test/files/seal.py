"""The digests of schedule and checkpoint files, for tests that write such files by hand."""
import ctypes


class _Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


_library = ctypes.CDLL("libxxhash.so.0")
_library.XXH3_128bits.restype = _Hash
_library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def digest(data):
    h = _library.XXH3_128bits(data, len(data))
    return b"%016x%016x" % (h.high, h.low)


def end(body, count):
    return body + b"end %d %s\n" % (count, digest(body))


def sums(*parts):
    return b"sums " + b" ".join(digest(part) for part in parts) + b"\n"


def schedule(text):
    """What `text`, the lines of a schedule up to its last step, is as a file."""
    head_end = text.find(b"\n", text.find(b"\nbug ") + 1) + 1
    head, steps = text[:head_end], text[head_end:]
    return end(text + sums(head, steps), steps.count(b"\n"))


def checkpoint(text):
    """What `text`, the lines of a checkpoint up to its last piece, is as a file."""
    record = text.find(b"\nrecord ") + 1
    tree = text.find(b"\n", record) + 1
    body = text + sums(text[:record], text[record:tree], text[tree:])
    return end(body, body.count(b"\n"))


def body_of(file):
    """The lines of a file before its digests."""
    return file[:file.rfind(b"\nsums ") + 1]
