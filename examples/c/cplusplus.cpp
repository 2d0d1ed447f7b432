// Limelight from C++: handles end by themselves, failures are exceptions.
//
//     c++ -std=c++17 cplusplus.cpp $(pkg-config --cflags --libs limelight) && ./a.out
#include <limelight.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lime {

struct Error : std::runtime_error {
  lime_status status;
  explicit Error(lime_status status) : std::runtime_error(lime_last_error()), status(status) {}
};

inline void check(lime_status status) {
  if (status != LIME_OK) throw Error(status);
}

// Owns a handle. Handles may be ended in any order, so no order has to be kept here either.
template <typename Handle, lime_status (*end)(Handle *)>
class Owner {
 public:
  Owner() = default;
  Owner(Owner &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner &operator=(Owner &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() {
    if (handle_ != nullptr) end(handle_);
  }
  Handle *get() const { return handle_; }
  Handle **out() { return &handle_; }

 private:
  Handle *handle_ = nullptr;
};

using Results = Owner<lime_results, lime_results_free>;
using Query = Owner<lime_query, lime_query_free>;

class Index {
 public:
  static Index in_memory() {
    Index index;
    check(lime_index_open_memory(nullptr, index.handle_.out()));
    return index;
  }

  void put_lines(std::string_view lines) {
    check(lime_index_put_lines(handle_.get(), lines.data(), lines.size(), nullptr, nullptr));
  }

  std::vector<std::string> search(std::string_view text, size_t limit = 10) const {
    Results results;
    check(lime_index_search(handle_.get(), text.data(), text.size(), limit, nullptr, results.out()));
    return ids(results);
  }

  std::vector<std::string> search(const Query &query, size_t limit = 10) const {
    Results results;
    check(lime_index_search_query(handle_.get(), query.get(), limit, nullptr, results.out()));
    return ids(results);
  }

 private:
  static std::vector<std::string> ids(const Results &results) {
    size_t count = 0;
    check(lime_results_count(results.get(), &count));
    std::vector<std::string> ids;
    for (size_t hit = 0; hit < count; hit++) {
      const char *id = nullptr;
      size_t length = 0;
      check(lime_results_id(results.get(), hit, &id, &length));
      ids.emplace_back(id, length);
    }
    return ids;
  }

  Owner<lime_index, lime_index_close> handle_;
};

inline Query term(std::string_view text) {
  Query query;
  check(lime_query_term(text.data(), text.size(), nullptr, 0, query.out()));
  return query;
}

inline Query operator!(const Query &negated) {
  Query query;
  check(lime_query_not(negated.get(), query.out()));
  return query;
}

inline Query operator&(const Query &left, const Query &right) {
  lime_query *const parts[] = {left.get(), right.get()};
  Query query;
  check(lime_query_all(parts, 2, query.out()));
  return query;
}

}  // namespace lime

int main() {
  using lime::term;
  try {
    auto index = lime::Index::in_memory();
    index.put_lines(R"({"id":"1","attributes":{"title":"Grüner Tee"}}
{"id":"2","attributes":{"title":"Schwarzer Tee"}}
{"id":"3","attributes":{"title":"Kaffee"}})");
    for (const auto &id : index.search("tee gru")) std::cout << id << "\n";
    for (const auto &id : index.search(term("tee") & !term("schwarzer"))) std::cout << id << "\n";
    try {
      index.put_lines("this is no JSON");
      return 1;
    } catch (const lime::Error &error) {
      std::cout << lime_status_name(error.status) << ": " << error.what() << "\n";
    }
  } catch (const lime::Error &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
