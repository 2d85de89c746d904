//! The driver: a program that makes the calls it reads.

use std::fmt::Write as _;

use super::{UnitEnum, UnitForm, UnitFunction, ValueType};

/// The part of the driver for C and C++ that is the same for all assignments.
pub(super) const CPP_RUNTIME: &str = include_str!("driver.hpp");
/// The driver for Python.
pub(super) const PYTHON: &str = include_str!("driver.py");

/// Returns the driver for C or C++. It includes the files of the student with these names, and calls these functions; calls of
/// others are answered by saying that they are missing.
pub(super) fn cpp(unit: &UnitForm, included: &[String], functions: &[&UnitFunction]) -> String {
    let throws = if unit.compares_exception_types {
        "std::string(\"throws \") + (type)"
    } else {
        "((void)(type), std::string(\"throws an exception\"))"
    };
    let mut text = format!("#define THROWS(type) ({throws})\n#include \"tictac_driver.hpp\"\n");
    if included.is_empty() {
        text.push_str("extern \"C\" {\n");
        for function in functions {
            text.push_str(&prototype(function));
        }
        text.push_str("}\n");
    }
    // A main function that the student has written to try the others is not called.
    text.push_str("#define main student_main\n");
    for file in included {
        let _ = writeln!(text, "#include \"{file}\"");
    }
    text.push_str("#undef main\n\nnamespace tictac_driver {\n");
    let is_used = |each: &&UnitEnum| functions.iter().any(|function| uses_enum(function, &each.name));
    for each in unit.enums.iter().filter(is_used) {
        text.push_str(&enum_code(each));
    }
    let classes: Vec<&str> = unit
        .classes()
        .into_iter()
        .filter(|class| functions.iter().any(|each| each.class.as_deref() == Some(class)))
        .collect();
    for class in &classes {
        let _ = writeln!(text, "static std::map<std::string, std::unique_ptr<::{class}>> objects_{class};");
    }
    text.push_str("\nvoid forget_objects() {\n");
    for class in &classes {
        let _ = writeln!(text, "    objects_{class}.clear();");
    }
    text.push_str("}\n\nvoid make_call(Call& call) {\n");
    for function in functions {
        text.push_str(&branch(function));
    }
    text.push_str("    call.finish(call.name + \" is missing\");\n}\n\n}\n\nint main() { return tictac_driver::run(); }\n");
    text
}

fn uses_enum(function: &UnitFunction, name: &str) -> bool {
    let mentions = |each: &ValueType| {
        each.in_cpp().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
    };
    function.arguments.iter().chain([&function.returns]).any(mentions)
}

/// Returns the code that reads and shows the values of an enumeration by their names. A value that the student's enumeration does not
/// have is no error: the templates that mention it are not used.
fn enum_code(each: &UnitEnum) -> String {
    let UnitEnum { name, values } = each;
    let mut text = String::new();
    let mut read = String::new();
    let mut show = String::new();
    for value in values {
        let _ = writeln!(
            text,
            "template <class E> auto set_{name}_{value}(E& e, int) -> decltype((void)E::{value}) {{ e = E::{value}; }}\n\
             template <class E> void set_{name}_{value}(E&, long) {{ throw ScriptError{{\"{name} has no {value}\"}}; }}\n\
             template <class E> auto is_{name}_{value}(E e, int) -> decltype((void)E::{value}, true) {{ return e == E::{value}; }}\n\
             template <class E> bool is_{name}_{value}(E, long) {{ return false; }}"
        );
        let _ = writeln!(read, "    if (text == \"{value}\") return set_{name}_{value}(value, 0);");
        let _ =
            writeln!(show, "    if (is_{name}_{value}(value, 0)) {{ out += \"\\\"{value}\\\"\"; return; }}");
    }
    let _ = writeln!(
        text,
        "template <> struct EnumNames<::{name}> {{\n\
         static void read(const std::string& text, ::{name}& value) {{\n{read}    \
         throw ScriptError{{\"{name} has no such value\"}};\n}}\n\
         static void show(std::string& out, ::{name} value) {{\n{show}    \
         out += \"{name}(\" + std::to_string(static_cast<long long>(value)) + \")\";\n}}\n}};"
    );
    text
}

/// Returns the declaration of a function of C, whatever the student's header says about `const`.
fn prototype(function: &UnitFunction) -> String {
    let arguments: Vec<String> =
        function.arguments.iter().enumerate().map(|(at, each)| each.declaration(&format!("a{at}"))).collect();
    format!("{} {}({});\n", function.returns.in_cpp(), function.name, arguments.join(", "))
}

/// Returns the code that makes a call, if it is one of this function.
fn branch(function: &UnitFunction) -> String {
    let mut text = String::new();
    let (name, n_arguments) = (&function.name, function.arguments.len());
    let object = match &function.class {
        Some(class) if !function.is_constructor() => format!("objects_{class}.count(call.object)"),
        _ => "call.object.empty()".to_owned(),
    };
    let _ = writeln!(
        text,
        "    if (call.name == \"{name}\" && {object} && call.has_arguments({n_arguments})) {{"
    );
    let _ = writeln!(text, "        call.compares_printed = {};", function.prints);
    for (at, argument) in function.arguments.iter().enumerate() {
        let _ = match argument {
            ValueType::Object(class) => {
                writeln!(text, "        auto& a{at} = call.object_argument(objects_{class});")
            }
            _ => writeln!(
                text,
                "        {}{{}}; call.argument(a{at});",
                argument.declaration(&format!("a{at}"))
            ),
        };
    }
    let arguments: Vec<String> = (0..n_arguments).map(|at| format!("a{at}")).collect();
    let arguments = arguments.join(", ");
    text.push_str("        call.start();\n");
    let target = match &function.class {
        Some(class) => format!("objects_{class}.at(call.object)->{name}"),
        None => format!("::{name}"),
    };
    let mut changed = String::new();
    for number in &function.changed {
        let _ = writeln!(changed, "        call.changed({number}, a{});", number - 1);
    }
    let _ = match (&function.class, &function.returns) {
        (Some(class), _) if function.is_constructor() => {
            writeln!(
                text,
                "        objects_{class}[call.handle] = std::make_unique<::{class}>({arguments});\n        call.finish(\"made\");"
            )
        }
        (_, ValueType::Void) => {
            writeln!(text, "        {target}({arguments});\n{changed}        call.finish(\"done\");")
        }
        (_, returns) => writeln!(
            text,
            "        {} result = {target}({arguments});\n{changed}        call.returned(result);",
            returns.in_cpp()
        ),
    };
    text.push_str("        return;\n    }\n");
    text
}

/// Returns what the driver for Python must know about the functions.
pub(super) fn python_specification(unit: &UnitForm) -> String {
    let mut functions = serde_json::Map::new();
    for function in &unit.functions {
        let arguments: Vec<serde_json::Value> = function.arguments.iter().map(ValueType::to_json).collect();
        let known = functions.entry(function.name.clone()).or_insert_with(|| serde_json::json!([]));
        let each = serde_json::json!({
            "arguments": arguments,
            "returns": function.returns.to_json(),
            "prints": function.prints,
            "changed": function.changed,
        });
        known.as_array_mut().into_iter().for_each(|known| known.push(each.clone()));
    }
    serde_json::json!({ "functions": functions, "exception_types": unit.compares_exception_types })
        .to_string()
}
