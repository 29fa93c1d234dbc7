"""Plans the crossings of one ferry for a day."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path


@dataclass(order=True)
class Crossing:
    departs: datetime
    minutes: int = 35
    vehicles: list[str] = field(default_factory=list, compare=False)

    @property
    def arrives(self) -> datetime:
        return self.departs + timedelta(minutes=self.minutes)

    def is_full(self, capacity: int) -> bool:
        return len(self.vehicles) >= capacity


def plan(first: datetime, count: int, *, turnaround: int = 20) -> list[Crossing]:
    """Crossings one after the other, with time to load between them."""
    crossings: list[Crossing] = []
    departs = first
    for _ in range(count):
        crossing = Crossing(departs)
        crossings.append(crossing)
        departs = crossing.arrives + timedelta(minutes=turnaround)
    return crossings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queue", type=Path, help="one licence plate a line")
    parser.add_argument("--capacity", type=int, default=24)
    args = parser.parse_args()
    waiting = [line.strip() for line in args.queue.read_text(encoding="utf-8").splitlines() if line.strip()]
    day = plan(datetime(2026, 3, 14, 6, 10), 9)
    for plate in waiting:
        target = next((c for c in day if not c.is_full(args.capacity)), None)
        if target is None:
            print(f"no room for {plate}: {len(day)} crossings are full")
            return 1
        target.vehicles.append(plate)
    print(json.dumps([{"at": c.departs.isoformat(), "vehicles": c.vehicles} for c in day], indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
