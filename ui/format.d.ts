/** `€1,234.50`, from euros as the control API gives them. */
export declare const formatAmount: (euros: number) => string
export declare const formatCount: (count: number) => string
/** `1 event`, `2 events`. */
export declare const plural: (count: number, noun: string) => string
/** The time of day, to the millisecond: `21:18:07.412`. */
export declare const clockTime: (at: string, isUtc: boolean) => string
/** The date and the time of day: `2026-11-20 21:18:07.412`, with `UTC` where it is that. */
export declare function dateAndTime(at: string, isUtc: boolean): string
/** The date and the time of day to the second, for a clock that ticks: `2026-11-20 21:18:07`. */
export declare const tickingTime: (at: string, isUtc: boolean) => string
/** `20 seconds`, `2 hours`, `31 days`: about how long something takes. */
export declare function formatSpan(ms: number): string
export declare function formatTook(ms: number): string
export declare function formatSize(bytes: number): string
/** `12s`, `5m`, `3h`, `2d`: how long ago, where there is no room for words. */
export declare function formatAge(at: string, now: number): string
/** `12 seconds ago`, `3 hours ago`; `in 2 days` once the clock was set back. */
export declare function formatAgo(at: string, now: number): string
