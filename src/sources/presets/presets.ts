// The table of presets.
import { LOGFLARE } from './logflare.ts';
import type { Preset } from './preset.ts';
import { SUPABASE } from './supabase.ts';

export const PRESETS: readonly Preset[] = [SUPABASE, LOGFLARE];
