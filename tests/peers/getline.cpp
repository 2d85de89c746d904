// A simple checker as most people would write it first: reads lines with getline and words with istringstream.
//
// Compiled and run by `cargo xtask bench check`; prints the totals as `tictac check --summary-json` does. Like the other
// programs compared there it knows only the 3x3 board, and counts bad games without reporting why they are bad.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

struct Game {
    int moves = 0;
    char last = 0;
    char board[9] = {};
    bool bad = false, won = false, begun = false;

    bool has_line(char mark) const {
        static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                        {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
        for (const auto &line : lines)
            if (board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark) return true;
        return false;
    }

    bool play(const std::string &text) {
        std::istringstream words(text);
        int number;
        std::string mark, square, comment;
        if (!(words >> number >> mark >> square)) return false;
        if (words >> comment && comment[0] != '#') return false;
        if (won || number != moves + 1 || moves == 9) return false;
        if ((mark != "X" && mark != "O") || mark[0] == last) return false;
        if (square.size() != 2 || square[0] < 'A' || square[0] > 'C' || square[1] < '1' || square[1] > '3') return false;
        char &place = board[(square[0] - 'A') * 3 + (square[1] - '1')];
        if (place) return false;
        place = last = mark[0];
        ++moves;
        won = has_line(last);
        return true;
    }
};

int main(int argc, char **argv) {
    std::ios::sync_with_stdio(false);
    std::ifstream file(argc > 1 ? argv[1] : "/dev/stdin");
    if (!file) return 2;
    unsigned long long games = 0, moves = 0, x_won = 0, o_won = 0, drawn = 0, unfinished = 0, bad = 0;
    Game game;
    const auto count = [&] {
        if (!game.begun) return;
        ++games;
        moves += game.moves;
        ++(game.bad ? bad : game.won ? (game.last == 'X' ? x_won : o_won) : game.moves == 9 ? drawn : unfinished);
        game = Game();
    };
    for (std::string line; std::getline(file, line);) {
        if (line.empty()) {
            count();
            continue;
        }
        game.begun = true;
        if (!game.bad && !game.play(line)) game.bad = true;
    }
    count();
    std::cout << "{\"games\":" << games << ",\"moves\":" << moves << ",\"x_won\":" << x_won << ",\"o_won\":" << o_won
              << ",\"drawn\":" << drawn << ",\"unfinished\":" << unfinished << ",\"bad\":" << bad << "}\n";
}
