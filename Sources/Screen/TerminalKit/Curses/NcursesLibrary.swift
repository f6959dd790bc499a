// Links the wide ncurses of the system. A Mac has `ncurses`, which the manifest names.
#if os(Linux)
  import CNcurses
#endif
