import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/**/*.test.ts', 'benchmarks/**/*.test.ts'],
    globalSetup: 'test/fixtures/global-setup.ts',
    // Whole-process tests load a model each; the time limit guards against hangs and measures nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whole-process tests start services of their own; one file at a time keeps them from starving each other.
    maxWorkers: process.env.CI ? 1 : 2,
  },
});
