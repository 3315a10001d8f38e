// The facts that the translator needs about a column that its table lacks.

export interface AbsentRead {
  readonly layout: 'absent';
}
