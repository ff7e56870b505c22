"""Particles as dataclass instances, a new generation of them in each step."""
from dataclasses import dataclass


@dataclass
class Particle:
    x: float
    y: float
    vx: float
    vy: float
    age: int = 0

    def moved(self, dt):
        return Particle(self.x + self.vx * dt, self.y + self.vy * dt, self.vx, self.vy * 0.99 - dt, self.age + 1)


def main():
    particles = [Particle(float(n), n * 0.5, 1.0 + n % 7, 2.0 + n % 11) for n in range(1000)]
    for _ in range(40):
        particles = [particle.moved(0.01) for particle in particles]
    return round(sum(p.x + p.y for p in particles), 6), sum(p.age for p in particles)
