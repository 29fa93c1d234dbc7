#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace harbour {

struct Position {
    double latitude = 0.0;
    double longitude = 0.0;
};

class Buoy {
public:
    explicit Buoy(std::string name, Position at) : name_(std::move(name)), at_(at) {}
    virtual ~Buoy() = default;

    const std::string& name() const noexcept { return name_; }
    virtual bool is_lit(std::uint32_t second) const { return second % period_ < period_ / 2; }

protected:
    std::uint32_t period_ = 6;

private:
    std::string name_;
    Position at_;
};

template <typename Predicate>
std::vector<std::shared_ptr<Buoy>> select(const std::vector<std::shared_ptr<Buoy>>& all, Predicate&& keep) {
    std::vector<std::shared_ptr<Buoy>> kept;
    kept.reserve(all.size());
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [&](const auto& buoy) { return keep(*buoy); });
    return kept;
}

int report(const std::unordered_map<std::string, int>& faults) {
    int total = 0;
    for (const auto& [name, count] : faults) {
        if (count == 0) continue;
        std::cout << name << ": " << count << (count == 1 ? " fault" : " faults") << '\n';
        total += count;
    }
    return total;
}

}  // namespace harbour
