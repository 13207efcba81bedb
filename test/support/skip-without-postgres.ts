import { skipWithoutPostgres } from './postgres.ts'

skipWithoutPostgres()
