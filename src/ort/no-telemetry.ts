/**
 * Turns off onnxruntime's telemetry: its builds for Linux report the process, models and runs to Microsoft by default,
 * under an identifier kept in the home directory. Import this before onnxruntime, which reads the variable at its first
 * session, and in the main thread: a worker's environment is a copy.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
