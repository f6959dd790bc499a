// The first type of this layer moves in here.
