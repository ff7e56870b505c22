"""Counter, defaultdict, namedtuple, OrderedDict, deque: votes, anagrams, an inverted index, a cache."""
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

Vote = namedtuple("Vote", "voter district candidate")
WORDS = "listen silent enlist google elbow below state taste night thing act cat tac stressed desserts dusty study".split()


class LRU:
    def __init__(self, size):
        self.size = size
        self.data = OrderedDict()
        self.hits = 0

    def get(self, key, make):
        if key in self.data:
            self.hits += 1
            self.data.move_to_end(key)
            return self.data[key]
        value = self.data[key] = make(key)
        if len(self.data) > self.size:
            self.data.popitem(last=False)
        return value


def main():
    votes = [Vote(i, i % 12, "ABCDE"[(i * i + i // 7) % 5]) for i in range(9000)]
    by_district = defaultdict(Counter)
    for vote in votes:
        by_district[vote.district][vote.candidate] += 1
    winners = {district: counts.most_common(1)[0] for district, counts in by_district.items()}
    total = sum(by_district.values(), Counter())
    anagrams = defaultdict(list)
    for i in range(150):
        for word in WORDS:
            anagrams["".join(sorted(word))].append(word)
    index = defaultdict(set)
    for number in range(600):
        for word in WORDS[number % 7::3]:
            index[word].add(number)
    common = set.intersection(*(index[word] for word in ("act", "night")))
    cache = LRU(50)
    values = [cache.get((i * i) % 83, lambda key: key * 2) for i in range(9000)]
    recent = deque(maxlen=100)
    sums = []
    for vote in votes:
        recent.append(vote.voter)
        if len(recent) == 100:
            sums.append(recent[0] + recent[-1])
    return sorted(winners.items()), total.most_common(), sorted(map(len, anagrams.values())), len(common), cache.hits, sum(values), sum(sums)
