class State:
    registry = {}
    def __init_subclass__(cls): State.registry[cls.__name__.lower()] = cls
    def enter(self, game): game.say(f"[{type(self).__name__}]")
    def handle(self, game, verb, *words):
        method = getattr(self, f"do_{verb}", None)
        if method is None: return game.say(f"you cannot {verb} here")
        try: return method(game, *words)
        except TypeError as e:
            game.say(f"what? ({str(e).split('.')[-1]})")
class Hall(State):
    exits = {"north": "library", "east": "cellar"}
    def do_go(self, game, where):
        if where not in self.exits: game.say(f"no way {where}"); return
        if where == "east" and "lamp" not in game.bag: game.say("too dark"); return
        game.switch(self.exits[where])
    def do_look(self, game): game.say("a hall; exits: " + ", ".join(sorted(self.exits)))
class Library(Hall):
    exits = {"south": "hall"}
    items = {"lamp", "book"}
    def do_take(self, game, thing):
        if thing in self.items: self.items.discard(thing); game.bag.append(thing); game.say(f"taken {thing}")
        else: game.say(f"no {thing}")
    def do_look(self, game): super().do_look(game); game.say("items: " + (", ".join(sorted(self.items)) or "none"))
class Cellar(Hall):
    exits = {"west": "hall"}
    def enter(self, game): super().enter(game); game.score += 10
    def do_open(self, game, *what):
        if "chest" in what: game.score += 50; raise Finished("gold")
        game.say(f"open {' '.join(what) or 'what'}?")
class Finished(Exception): pass
class Game:
    def __init__(self): self.bag, self.score, self.log, self.states = [], 0, [], {}; self.switch("hall")
    def say(self, t): self.log.append(t)
    def switch(self, name):
        self.state = self.states.setdefault(name, State.registry[name]())
        self.state.enter(self)
    def play(self, script):
        for n, line in enumerate(script.split(";"), 1):
            words = line.split()
            if not words: continue
            self.say(f"> {line.strip()}")
            try: self.state.handle(self, *words)
            except Finished as f: self.say(f"won {f} with {self.score} in {n} moves"); break
        else: self.say(f"gave up at {type(self.state).__name__}")
g = Game()
g.play("look; go east; go; go north; look; take lamp; take lamp; take lamp now; sing; go south; go east; open; open door; open chest; look")
print("\n".join(g.log))
print(g.bag, g.score, sorted(State.registry), sorted(g.states))
