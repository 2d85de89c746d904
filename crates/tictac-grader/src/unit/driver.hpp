// Reads calls, makes them, and writes what they returned, printed, changed or threw.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unistd.h>
#include <vector>

namespace tictac_driver {

// A mistake in the script of calls, never one of the student.
struct ScriptError {
    std::string message;
};

struct Reader {
    const char* at;

    void skip() {
        while (*at == ' ') ++at;
    }
    bool take(char c) {
        skip();
        if (*at != c) return false;
        ++at;
        return true;
    }
    void expect(char c) {
        if (!take(c)) throw ScriptError{std::string("expected ") + c};
    }
    std::string word() {
        skip();
        const char* start = at;
        while (*at == '_' || isalnum(static_cast<unsigned char>(*at))) ++at;
        return std::string(start, at);
    }
    std::string text() {
        expect('"');
        std::string result;
        while (*at && *at != '"') {
            char c = *at++;
            if (c == '\\' && *at) {
                c = *at++;
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
            }
            result += c;
        }
        expect('"');
        return result;
    }
};

inline void read(Reader& in, long long& value) {
    in.skip();
    char* end;
    value = strtoll(in.at, &end, 10);
    if (end == in.at) throw ScriptError{"expected a number"};
    in.at = end;
}
inline void read(Reader& in, int& value) {
    long long wide;
    read(in, wide);
    value = static_cast<int>(wide);
}
inline void read(Reader& in, double& value) {
    in.skip();
    char* end;
    value = strtod(in.at, &end);
    if (end == in.at) throw ScriptError{"expected a number"};
    in.at = end;
}
inline void read(Reader& in, bool& value) {
    in.skip();
    if (*in.at == '0' || *in.at == '1') {
        value = *in.at++ == '1';
        return;
    }
    std::string word = in.word();
    if (word != "true" && word != "false") throw ScriptError{"expected true or false"};
    value = word == "true";
}
inline void read(Reader& in, std::string& value) { value = in.text(); }
inline void read(Reader& in, char& value) {
    std::string text = in.text();
    if (text.size() != 1) throw ScriptError{"expected one character"};
    value = text[0];
}

// How the values of an enumeration are called; the driver of an assignment has one for each of its enumerations.
template <class E> struct EnumNames;
template <class E> std::enable_if_t<std::is_enum<E>::value> read(Reader& in, E& value) {
    EnumNames<E>::read(in.text(), value);
}
template <class E> std::enable_if_t<std::is_enum<E>::value> show(std::string& out, E value) {
    EnumNames<E>::show(out, value);
}

template <class T> void read(Reader& in, std::vector<T>& values);
template <class T> void read(Reader& in, std::set<T>& values);
template <class K, class V> void read(Reader& in, std::map<K, V>& values);
template <class... T> void read(Reader& in, std::tuple<T...>& values);
template <class T, size_t N> void read(Reader& in, T (&values)[N]);

template <class T, class Add> void read_items(Reader& in, Add add) {
    in.expect('[');
    if (in.take(']')) return;
    do {
        T item{};
        read(in, item);
        add(std::move(item));
    } while (in.take(','));
    in.expect(']');
}
template <class T> void read(Reader& in, std::vector<T>& values) {
    read_items<T>(in, [&](T item) { values.push_back(std::move(item)); });
}
template <class T> void read(Reader& in, std::set<T>& values) {
    read_items<T>(in, [&](T item) { values.insert(std::move(item)); });
}
template <class K, class V> void read(Reader& in, std::map<K, V>& values) {
    in.expect('{');
    if (in.take('}')) return;
    do {
        K key{};
        V value{};
        read(in, key);
        in.expect(':');
        read(in, value);
        values[key] = value;
    } while (in.take(','));
    in.expect('}');
}
template <class... T> void read(Reader& in, std::tuple<T...>& values) {
    in.expect('[');
    bool first = true;
    auto one = [&](auto& value) {
        if (!first) in.expect(',');
        first = false;
        read(in, value);
    };
    std::apply([&](auto&... value) { (one(value), ...); }, values);
    in.expect(']');
}
template <class T, size_t N> void read(Reader& in, T (&values)[N]) {
    in.expect('[');
    for (size_t i = 0; i < N; ++i) {
        if (i > 0) in.expect(',');
        read(in, values[i]);
    }
    in.expect(']');
}

inline void show(std::string& out, bool value) { out += value ? "true" : "false"; }
inline void show(std::string& out, int value) { out += std::to_string(value); }
inline void show(std::string& out, long long value) { out += std::to_string(value); }
inline void show(std::string& out, double value) {
    char text[64];
    snprintf(text, sizeof text, "%.10g", value);
    out += text;
}
inline void show(std::string& out, const std::string& value) {
    out += '"';
    for (unsigned char c : value) {
        char escaped[8];
        snprintf(escaped, sizeof escaped, "\\u%04x", c);
        if (c == '"' || c == '\\') (out += '\\') += static_cast<char>(c);
        else if (c == '\n') out += "\\n";
        else if (c < ' ') out += escaped;
        else out += static_cast<char>(c);
    }
    out += '"';
}
inline void show(std::string& out, char value) { show(out, std::string(1, value)); }

template <class T> void show(std::string& out, const std::vector<T>& values);
template <class T> void show(std::string& out, const std::set<T>& values);
template <class K, class V> void show(std::string& out, const std::map<K, V>& values);
template <class... T> void show(std::string& out, const std::tuple<T...>& values);
template <class T, size_t N> void show(std::string& out, const T (&values)[N]);

template <class Items> void show_items(std::string& out, const Items& items) {
    out += '[';
    bool first = true;
    for (const auto& item : items) {
        if (!first) out += ',';
        first = false;
        show(out, item);
    }
    out += ']';
}
template <class T> void show(std::string& out, const std::vector<T>& values) {
    out += '[';
    // A reference into std::vector<bool> is no bool.
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ',';
        show(out, static_cast<const T&>(values[i]));
    }
    out += ']';
}
template <class T> void show(std::string& out, const std::set<T>& values) { show_items(out, values); }
template <class T, size_t N> void show(std::string& out, const T (&values)[N]) { show_items(out, values); }
template <class K, class V> void show(std::string& out, const std::map<K, V>& values) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : values) {
        if (!first) out += ',';
        first = false;
        show(out, key);
        out += ':';
        show(out, value);
    }
    out += '}';
}
template <class... T> void show(std::string& out, const std::tuple<T...>& values) {
    out += '[';
    bool first = true;
    auto one = [&](const auto& value) {
        if (!first) out += ',';
        first = false;
        show(out, value);
    };
    std::apply([&](const auto&... value) { (one(value), ...); }, values);
    out += ']';
}

// The file that takes what the student's code prints, and the stream that results are written to.
inline int printed_fd = -1;
inline int result_fd = -1;

inline void write_result(const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
        ssize_t n = ::write(result_fd, text.data() + done, text.size() - done);
        if (n <= 0) _exit(3);
        done += static_cast<size_t>(n);
    }
}

inline std::string take_printed() {
    fflush(stdout);
    std::cout.flush();
    std::string text;
    char buffer[4096];
    lseek(printed_fd, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(printed_fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
    if (ftruncate(printed_fd, 0) != 0) _exit(3);
    lseek(printed_fd, 0, SEEK_SET);
    return text;
}

// One call of the script.
struct Call {
    Reader in;
    // The name that a new object gets, the object whose method is called, and the function, class or method.
    std::string handle, object, name;
    size_t n_arguments = 0;
    bool compares_printed = false;
    std::string after;

    explicit Call(const std::string& line) : in{line.c_str()} {
        name = in.word();
        if (in.take('=')) {
            handle = name;
            name = in.word();
        }
        if (in.take('.')) {
            object = name;
            name = in.word();
        }
        in.expect('(');
    }
    // Overloaded functions are told apart by how many arguments they have.
    bool has_arguments(size_t n) const {
        size_t commas = 0, depth = 0;
        bool in_text = false, is_empty = true;
        for (const char* c = in.at; *c && (in_text || depth > 0 || *c != ')'); ++c) {
            if (*c != ' ') is_empty = false;
            if (in_text && *c == '\\' && c[1]) ++c;
            else if (*c == '"') in_text = !in_text;
            else if (in_text) continue;
            else if (*c == '[' || *c == '{') ++depth;
            else if (*c == ']' || *c == '}') --depth;
            else if (*c == ',' && depth == 0) ++commas;
        }
        return (is_empty ? 0 : commas + 1) == n;
    }
    template <class T> void argument(T& value) {
        if (n_arguments++ > 0) in.expect(',');
        read(in, value);
    }
    template <class Objects> auto& object_argument(Objects& objects) {
        if (n_arguments++ > 0) in.expect(',');
        return *objects.at(in.word());
    }
    // Everything before is part of the driver, and everything after this of the student's function.
    void start() { in.expect(')'); }
    template <class T> void changed(int number, const T& value) {
        after += " argument " + std::to_string(number) + ": ";
        show(after, value);
    }
    void finish(const std::string& result) {
        std::string printed = take_printed(), text;
        if (compares_printed) {
            std::istringstream lines(printed);
            for (std::string line; std::getline(lines, line);) text += "> " + line + "\n";
        }
        write_result(text + result + after + "\n");
    }
    template <class T> void returned(const T& value) {
        std::string text;
        show(text, value);
        finish(text);
    }
};

void make_call(Call& call);
void forget_objects();

inline void run_line(const std::string& line) {
    if (line.empty()) {
        forget_objects();
        write_result("\n");
        return;
    }
    Call call(line);
    try {
        make_call(call);
    } catch (const ScriptError&) {
        throw;
    } catch (const std::exception& error) {
        int status = 0;
        char* type = abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status);
        call.after.clear();
        call.finish(THROWS(type ? type : "std::exception"));
        free(type);
    } catch (...) {
        call.after.clear();
        call.finish(THROWS("a value that is no std::exception"));
    }
}

inline int run() {
    std::string script((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    std::cin.clear();
    result_fd = fcntl(1, F_DUPFD_CLOEXEC, 3);
    // Only the current folder is writable in the sandbox.
    char name[] = "printed_XXXXXX";
    printed_fd = mkstemp(name);
    if (result_fd < 0 || printed_fd < 0) {
        perror("the driver cannot start");
        _exit(3);
    }
    unlink(name);
    dup2(printed_fd, 1);
    std::istringstream lines(script);
    try {
        for (std::string line; std::getline(lines, line);) run_line(line);
    } catch (const ScriptError& error) {
        std::cerr << "the script of calls is wrong: " << error.message << std::endl;
        _exit(3);
    }
    // Destructors of the student's static objects are not part of the exercise.
    _exit(0);
}

}  // namespace tictac_driver
