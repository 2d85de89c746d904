"""Reads calls, makes them, and writes what they returned, printed, changed or raised."""
import enum
import importlib.util
import io
import json
import os
import re
import sys

MODULE = None
FUNCTIONS = {}
COMPARES_EXCEPTION_TYPES = False
OBJECTS = {}


class Handle(str):
    """The name of an object of the script."""


def to_python(value, kind):
    """Returns a value of the script as the declared type."""
    if isinstance(value, Handle):
        return OBJECTS[value]
    name, *parts = kind
    if value is None or name == "any":
        return value
    if name in ("list", "array"):
        return [to_python(item, parts[0]) for item in value]
    if name == "set":
        return {to_python(item, parts[0]) for item in value}
    if name == "tuple":
        return tuple(to_python(item, part) for item, part in zip(value, parts))
    if name == "bool":
        return bool(value)
    if name == "enum":
        return getattr(MODULE, parts[0])[value]
    return value


def shown(value, kind):
    """Returns the text of a value. What is as good as the declared type, such as 1 for True or a list for a set, is shown alike."""
    name, *parts = kind
    if value is None:
        return "null"
    if name == "bool" and isinstance(value, (bool, int)) and value in (0, 1):
        return "true" if value else "false"
    if name in ("int", "long") and isinstance(value, (bool, int, float)) and value == int(value):
        return str(int(value))
    if name == "float" and isinstance(value, (bool, int, float)):
        return format(float(value), ".10g")
    if name == "enum" and isinstance(value, enum.Enum):
        return json.dumps(value.name)
    if name in ("char", "string") and isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if name in ("list", "array") and isinstance(value, (list, tuple)):
        return "[" + ",".join(shown(item, parts[0]) for item in value) + "]"
    if name == "tuple" and isinstance(value, (list, tuple)) and len(value) == len(parts):
        return "[" + ",".join(shown(item, part) for item, part in zip(value, parts)) + "]"
    if name == "set" and isinstance(value, (list, tuple, set, frozenset)):
        texts = {shown(item, parts[0]) for item in value}
        return "[" + ",".join(sorted(texts)) + "]"
    if name == "map" and isinstance(value, dict):
        items = sorted((shown(key, parts[0]), shown(item, parts[1])) for key, item in value.items())
        return "{" + ",".join(key + ":" + item for key, item in items) + "}"
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def plain(value):
    """Returns a value that JSON can express; a set is sorted, and anything else is shown by the name of its type."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return "an object of the type " + type(value).__name__


CALL = re.compile(r"(?:(\w+)\s*=\s*)?(?:(\w+)\.)?(\w+)\((.*)\)$")
NAME = re.compile(r"[A-Za-z_]\w*")


def arguments_of(text):
    """Returns the arguments of a call: JSON values, and names of objects."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while at < len(text):
        if text[at] in " ,":
            at += 1
            continue
        name = NAME.match(text, at)
        if name and name.group() not in ("true", "false", "null"):
            values.append(Handle(name.group()))
            at = name.end()
        else:
            value, at = decoder.raw_decode(text, at)
            values.append(value)
    return values


def make_call(line):
    """Returns the text that describes what a call did."""
    handle, target, name, text = CALL.match(line).groups()
    values = arguments_of(text)
    owner = OBJECTS[target] if target else MODULE
    # The declaration with this many arguments, or the last one.
    known = FUNCTIONS.get(name, [{}])
    spec = next((each for each in known if len(each.get("arguments", [])) == len(values)), known[-1])
    function = getattr(owner, name, None)
    if function is None:
        return name + " is missing"
    kinds = spec.get("arguments", [])
    any_kind = ["any"]
    arguments = [to_python(value, kinds[at] if at < len(kinds) else any_kind) for at, value in enumerate(values)]
    sys.stdout = io.StringIO()
    after = ""
    try:
        result = function(*arguments)
        if handle:
            OBJECTS[handle] = result
            text = "made"
        elif spec.get("returns", any_kind) == ["void"]:
            text = "done"
        else:
            text = shown(result, spec.get("returns", any_kind))
        for number in spec.get("changed", []):
            after += " argument %d: %s" % (number, shown(arguments[number - 1], kinds[number - 1]))
    except Exception as error:
        text, after = "throws " + (type(error).__name__ if COMPARES_EXCEPTION_TYPES else "an exception"), ""
        if os.environ.get("TICTAC_TRACE"):
            import traceback
            traceback.print_exc()
        else:
            print(type(error).__name__ + ": " + str(error), file=sys.stderr)
    printed = sys.stdout.getvalue()
    lines = "".join("> " + line + "\n" for line in printed.splitlines()) if spec.get("prints") else ""
    return lines + text + after


def main():
    global MODULE, FUNCTIONS, COMPARES_EXCEPTION_TYPES
    specification, path = json.loads(sys.argv[1]), sys.argv[2]
    FUNCTIONS = specification["functions"]
    COMPARES_EXCEPTION_TYPES = specification["exception_types"]
    script = sys.stdin.read()
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path.insert(0, os.path.dirname(path))
    # The students' file may be called like this one, so it keeps its own name.
    name = os.path.splitext(os.path.basename(path))[0]
    module = importlib.util.spec_from_file_location(name, path)
    MODULE = importlib.util.module_from_spec(module)
    sys.modules[name] = MODULE
    module.loader.exec_module(MODULE)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))
    for line in script.splitlines():
        if line:
            results.write(make_call(line) + "\n")
            results.flush()
        else:
            OBJECTS.clear()
            results.write("\n")
            results.flush()
    results.flush()
    os._exit(0)


main()
