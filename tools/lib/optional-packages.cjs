/** Packages that Nest loads where they are installed. They are not. */
module.exports = [
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
];
