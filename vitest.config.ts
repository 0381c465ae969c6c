import { configDefaults, defineConfig } from 'vitest/config';

/** Tests of single modules. They share a process for many files, since loading modules takes longer than most of these tests. */
const unit = ['src/**/*.test.ts', 'console/**/*.test.ts', 'benchmarks/**/*.test.ts'];
/** Tests that load models, start processes or read large goldens. */
const whole = ['src/**/*.{integration,golden}.test.ts', 'test/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/fixtures/global-setup.ts',
    // Whole-process tests load a model each; the time limit guards against hangs and measures nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whole-process tests start services of their own; one file at a time keeps them from starving each other.
    maxWorkers: process.env.CI ? 1 : 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          exclude: [...configDefaults.exclude, ...whole],
          isolate: false,
          setupFiles: 'test/fixtures/end-fakes.ts',
        },
      },
      { extends: true, test: { name: 'whole', include: whole } },
    ],
  },
});
