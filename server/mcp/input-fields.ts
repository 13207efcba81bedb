import { z } from 'zod'

export const account = z
  .string()
  .optional()
  .meta({ description: 'Id or name of the account. By default the first one.' })

/** Restricts a tool to one account. */
export const onlyAccount = z
  .string()
  .optional()
  .meta({ description: 'Id or name of an account. By default all accounts.' })

export const link = z
  .union([z.int(), z.string()])
  .meta({ description: 'The id of a payment link, its link_id, pay:<pay_id>, or its pay link.' })

export const webhook = z.int().min(1).meta({ description: 'The number after Webhook in an answer.' })
