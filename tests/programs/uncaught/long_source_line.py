value = {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": 1}["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] + {"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": 2}["cccccccccccccccc"]
