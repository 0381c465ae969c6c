/** Operators of programs, and the single sign for each. */
export const operatorSigns: Readonly<Record<string, string>> = {
  '>=': '≥',
  '<=': '≤',
  '!=': '≠',
  '!==': '≠',
  '==': '=',
  '===': '=',
  '<=>': '⇔',
  '<==>': '⇔',
  '->': '→',
  '-->': '→',
};
