/**
 * Rounds seconds to milliseconds. A quotient of whole numbers is the double nearest to the decimal, which prints without
 * noise; + 0 turns -0 into 0.
 */
export const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000 + 0;
