#include <vector>
namespace shapes {
template <typename T, int N = 3> class Stack {
 public:
  Stack() : size_(0) {}
  ~Stack() { while (size_ > 0) pop(); }
  bool push(T value) noexcept { if (size_ >= N) return false; items_[size_++] = value; return true; }
  T pop() { return items_[--size_]; }
  operator bool() const { return size_ != 0; }
  Stack &operator<<(const T &value) { push(value); return *this; }
 private:
  T items_[N];
  int size_;
};

struct Shape {
  virtual double area() const = 0;
  virtual ~Shape() = default;
};
struct Square final : Shape {
  explicit Square(double side) : side{side} {}
  double area() const override { return side * side; }
  double side;
};
}  // namespace shapes

static auto twice = [](auto x) -> decltype(x) { return x + x; };

int total(const std::vector<shapes::Shape *> &all) try {
  double sum = 0;
  for (const auto *shape : all) sum += shape ? shape->area() : 0;
  if (sum < 0) throw R"(not "this" ))";
  return static_cast<int>(twice(sum));
} catch (const char *why) {
  return -1;
} catch (...) { throw; }
