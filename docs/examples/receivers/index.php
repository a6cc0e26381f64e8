<?php
require __DIR__ . '/verify.php';

// $_POST is empty for JSON, and php://input has the bytes that were sent.
$body = file_get_contents('php://input');
$secrets = explode(',', (string) getenv('WEBHOOK_SECRET'));
if (!verify_delivery($body, getallheaders(), $secrets)) {
    http_response_code(401);
    exit;
}
if (($_SERVER['HTTP_X_SERVICE_TEST'] ?? '') !== '1') {
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    error_log($event['id']); // your own work
}
http_response_code(204);
