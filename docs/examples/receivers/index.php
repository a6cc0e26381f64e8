<?php
use Hookwright\Signature\SignatureError;
use Hookwright\Signature\Verifier;

// With Composer: require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/SignatureError.php';
require __DIR__ . '/Verifier.php';

// $_POST is empty for JSON, and php://input has the bytes that were sent.
$body = file_get_contents('php://input');
$secrets = explode(',', (string) getenv('WEBHOOK_SECRET'));
try {
    $event = Verifier::verify($body, getallheaders(), $secrets);
    if (!isset($event['test'])) {
        error_log($event['id']); // your own work
    }
    http_response_code(204);
} catch (SignatureError $error) {
    error_log("{$error->reason}: {$error->getMessage()}"); // it contains no secret
    http_response_code($error->status);
    echo $error->reason;
}
