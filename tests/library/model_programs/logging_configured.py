import logging, logging.handlers, logging.config, queue, sys, io
q = queue.Queue()
qh = logging.handlers.QueueHandler(q)
log = logging.getLogger('q'); log.addHandler(qh); log.setLevel(10); log.propagate = False
log.info('one %d', 1)
print(q.get().getMessage())
mh = logging.handlers.MemoryHandler(3, target=logging.StreamHandler(sys.stdout)); log.addHandler(mh)
log.debug('a'); log.debug('b'); print('before'); log.error('c')
lst = logging.handlers.QueueListener(q, logging.StreamHandler(sys.stdout)); lst.start(); log.warning('via listener'); lst.stop()
class Mine(logging.Handler):
    def __init__(self, tag=''): super().__init__(); self.tag = tag
    def emit(self, r): print(self.tag, self.format(r))
logging.config.dictConfig({'version': 1, 'disable_existing_loggers': False, 'filters': {'f': {'()': 'logging.Filter', 'name': 'app'}},
  'formatters': {'brief': {'format': '%(levelname)-8s|%(message)s'}, 'c': {'()': logging.Formatter, 'fmt': '%(name)s:%(message)s'}},
  'handlers': {'m': {'()': '__main__.Mine', 'tag': 'T', 'formatter': 'brief', 'filters': ['f']}, 'c': {'class': 'logging.StreamHandler', 'stream': 'ext://sys.stdout', 'formatter': 'c', 'level': 'ERROR'}},
  'loggers': {'app': {'handlers': ['m'], 'level': 'INFO', 'propagate': True}, 'other': {'handlers': ['m']}}, 'root': {'handlers': ['c'], 'level': 'WARNING'}})
logging.getLogger('app.x').info('hi'); logging.getLogger('app').error('bad'); logging.getLogger('other').error('o')
logging.config.fileConfig(io.StringIO('''[loggers]
keys=root,x
[handlers]
keys=h
[formatters]
keys=f
[logger_root]
level=DEBUG
handlers=h
[logger_x]
level=ERROR
handlers=h
qualname=x
propagate=0
[handler_h]
class=StreamHandler
level=NOTSET
formatter=f
args=(sys.stdout,)
[formatter_f]
format=F %(name)s %(message)s
class=logging.Formatter
'''))
logging.getLogger('x').error('file config'); logging.info('root')
try: logging.config.dictConfig({'version': 1, 'handlers': {'h': {'class': 'nope.X'}}})
except ValueError as e: print(e, '|', repr(e.__cause__)[:80])
try: logging.config.dictConfig({'version': 2})
except ValueError as e: print(e)
c = logging.config.BaseConfigurator({'a': {'b': [1, 2]}, 'z': 'cfg://a.b[1]'})
print(c.config['z'])
