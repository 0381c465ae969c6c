/** The result of the first rule that has one. */
export function firstMatch<Input, Result>(
  rules: readonly ((input: Input) => Result | undefined)[],
  input: Input,
): Result | undefined {
  for (const rule of rules) {
    const result = rule(input);
    if (result !== undefined) return result;
  }
  return undefined;
}
