import cmd, optparse, sys
class Shell(cmd.Cmd):
    intro = 'Welcome. Type help or ?'
    prompt = '> '
    def do_add(self, arg):
        'add a b: adds'
        print(sum(map(int, arg.split())))
    def do_quit(self, arg):
        'leave'
        return True
    def default(self, line): print('?', line)
s = Shell()
s.onecmd('add 1 2'); s.onecmd('help add'); s.onecmd('help'); s.onecmd('zz'); print(s.onecmd('quit'))
print(s.completenames('a'))


import io
t = Shell(stdin=io.StringIO('add 3 4\nquit\n')); t.use_rawinput = False; t.cmdloop()
cmd.Cmd.prompt = '# '
s.columnize([str(i) for i in range(30)], 60)
p = optparse.OptionParser(usage='%prog [options] x', version='1.0')
p.add_option('-f', '--file', dest='filename', help='write to FILE', metavar='FILE')
p.add_option('-q', action='store_false', dest='verbose', default=True)
p.add_option('-n', type='int', default=3, help='number [default: %default]')
g = optparse.OptionGroup(p, 'More', 'text'); g.add_option('-z', action='count'); p.add_option_group(g)
print(vars(p.parse_args(['-f', 'a', 'b', '-qzz', '-n5'])[0]))
print(p.format_help())
try: p.parse_args(['-n', 'x'])
except SystemExit as e: print(e.code)
try: p.parse_args(['--version'])
except SystemExit as e: print(e.code)
