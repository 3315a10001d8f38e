// The comments of a text: whatever stands between two tokens and is no blank.

export const COMMENT = /--[^\n\r]*|#[^\n\r]*|\/\*[\s\S]*?\*\//g;
