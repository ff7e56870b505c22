def f():
	for i in range(3):
		if i == 2:
			raise ValueError(	"tab"  )

f()
