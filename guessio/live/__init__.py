"""The stream to the pages: who is watching what, presence, and events turned into fragments. Imports `services`, `bus`, `engine`."""
