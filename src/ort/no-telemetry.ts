/**
 * onnxruntime's builds for Linux report to its makers by default: facts about the process, models and runs, under an
 * identifier kept in the home folder. Nothing of this leaves the machine here. To be imported before onnxruntime: it looks
 * once, at its first session. In a thread this has no effect, since its environment is a copy: the process has to have
 * imported it before.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
