// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a document against a schema. usage: node validate.mjs NODE_MODULES SCHEMA FILE
import fs from 'fs'
import path from 'path'
import { createRequire } from 'module'

const [modules, schema, file] = process.argv.slice(2)
const require = createRequire(path.join(path.resolve(modules), 'x.js'))
const Ajv = require('ajv/dist/2020')
const addFormats = require('ajv-formats')
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats(ajv)
const validate = ajv.compile(JSON.parse(fs.readFileSync(schema, 'utf8')))
if (!validate(JSON.parse(fs.readFileSync(file, 'utf8')))) {
  console.log(JSON.stringify(validate.errors, null, 1))
  process.exit(1)
}
