// What the translator is told of a column that its table has not.

export interface AbsentRead {
  readonly layout: 'absent';
}
