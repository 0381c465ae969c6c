/** Transcription models of the API that clients know, with or without a date. */
const KNOWN = /^(whisper-1|gpt-(4o-|4o-mini-|live-)?transcribe(-diarize)?|gpt-realtime-whisper)(-\d{4}-\d{2}-\d{2})?$/;

/** Whether clients may look for this model before they name it in a request, where any name is the loaded one. */
export const isKnownModel = (id: string): boolean => KNOWN.test(id);
