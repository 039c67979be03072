// SPDX-License-Identifier: GPL-3.0-or-later
// What xunit-viewer makes of a file. usage: node xunit_viewer.mjs NODE_MODULES FILE
import fs from 'fs'
import path from 'path'
import { pathToFileURL } from 'url'

const [modules, file] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(path.join(modules, 'xunit-viewer/src/cli', name)))
const parse = (await load('parse.js')).default
console.log(JSON.stringify(await parse(fs.readFileSync(file, 'utf8'))))
