// What is kept since it may be asked for again: a key's table costs far more than its use.

/** The things made last for a name, so many at most: whoever judges many tables keeps no more than a few. */
export class Remembered {
  constructor(most) {
    this.most = most;
    this.made = new Map();
  }

  /** What was made for this name, or is made now. */
  of(name, make) {
    const made = this.made.has(name) ? this.made.get(name) : make();
    this.made.delete(name);
    this.made.set(name, made);
    if (this.made.size > this.most) this.made.delete(this.made.keys().next().value);
    return made;
  }
}
