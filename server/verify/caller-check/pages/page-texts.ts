/** Matches texts of pages that say that a payment has failed, or ask the customer to pay again. */
export const FAILED =
  /fail(ed|ure)|declined|aborted|cancell?ed|unpaid|not (yet )?(been )?(paid|completed|successful)|(order|pay|try)( \w+)? again|abgebrochen|storniert|fehlgeschlagen|nicht bezahlt|annulé|échoué|geannuleerd|mislukt/i

/** Matches texts of pages that thank a customer without showing an order. */
export const THANKS = /\b(thank you|thanks|vielen dank|danke)\b/i
